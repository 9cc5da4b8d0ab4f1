// SPDX-License-Identifier: MIT
// Finds sections that have words which begin as those of a query: all of them, or where no section has all, as many as one has. Those
// whose heading or page is named so come first, and those for contributors last.
"use strict";

const most = 20;
const query = document.getElementById("query");
const found = document.getElementById("found");

/** How many words a section has, and how well it fits. */
function weigh([, title, , heading, text, inside], words) {
  let [count, sum] = [0, 0];
  for (const word of words) {
    const [inTitle, inHeading, inText] = [title, heading, text].map((part) => word.test(part));
    if (!inText && !inTitle) continue;
    count += 1;
    sum += 1 + (inTitle ? 4 : 0) + (inHeading ? 8 : 0);
  }
  return { count, weight: inside ? sum / 10 : sum };
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
  const weighed = searchIndex.map((row) => ({ row, ...weigh(row, words) }));
  const best = Math.max(1, ...weighed.map(({ count }) => count));
  const rows = weighed.filter(({ count }) => count === best).sort((left, right) => right.weight - left.weight);
  found.replaceChildren(...rows.slice(0, most).map(({ row: [page, title, place, heading, text] }) => {
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
