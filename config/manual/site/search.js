// SPDX-License-Identifier: MIT
// Finds sections that have words which begin as those of a query. Those come first that have more of the words, rarer ones, and in their
// heading or their page's title; those for contributors come last.
"use strict";

const most = 20;
const query = document.getElementById("query");
const found = document.getElementById("found");

/** Text in which the words of a name such as keyboardHeight are words as well. */
const spaced = (text) => `${text} ${text.replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")}`;
const sections = searchIndex.map((row) => ({ row, parts: [row[1], row[3], row[4]].map(spaced) }));

/** Sections that have words, the best first. */
function ranked(words) {
  const scores = sections.map(({ row }) => ({ row, count: 0, score: 0 }));
  for (const word of words) {
    const places = sections.map(({ parts }) => parts.map((part) => word.test(part)));
    const rarity = Math.log(1 + sections.length / Math.max(1, places.filter((place) => place.includes(true)).length));
    for (const [index, [inTitle, inHeading, inText]] of places.entries()) {
      if (!inTitle && !inHeading && !inText) continue;
      scores[index].count += 1;
      scores[index].score += rarity * (1 + (inTitle ? 2 : 0) + (inHeading ? 4 : 0));
    }
  }
  const value = ({ row, count, score }) => score * count ** 2 / (row[5] ? 10 : 1);
  return scores.filter(({ count }) => count > 0).sort((left, right) => value(right) - value(left)).map(({ row }) => row);
}

/** The text around the first word. */
function excerpt(text, word) {
  const place = Math.max(0, text.search(word));
  const start = Math.max(0, place - 40);
  return (start > 0 ? "…" : "") + text.slice(start, start + 140) + (start + 140 < text.length ? "…" : "");
}

function search() {
  const words = query.value.split(/\s+/).filter(Boolean)
    .map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}`, "iu"));
  const rows = ranked(words);
  found.replaceChildren(...rows.slice(0, most).map(([page, title, place, heading, text]) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = place ? `${page}#${encodeURIComponent(place)}` : page;
    link.textContent = heading ? `${title}: ${heading}` : title;
    const sample = document.createElement("p");
    sample.textContent = excerpt(text, words.find((word) => word.test(text)) ?? words[0]);
    item.append(link, sample);
    return item;
  }));
  if (words.length > 0 && rows.length === 0) {
    const item = document.createElement("li");
    item.textContent = "Nothing found.";
    found.append(item);
  }
}

query.addEventListener("input", search);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && query.value !== "") {
    query.value = "";
    search();
  }
});
document.getElementById("search").hidden = false;

// `make playground` serves the manual beside the playground, and prints its address with the token; other pages of the manual know it
// as long as the window is open.
const token = new URLSearchParams(location.hash.slice(1)).get("token");
if (token) sessionStorage.setItem("token", token);
for (const link of document.querySelectorAll("[data-playground]")) {
  const known = sessionStorage.getItem("token");
  if (!known) continue;
  link.href = `../?${link.dataset.playground}#token=${encodeURIComponent(known)}`;
  link.hidden = false;
}
