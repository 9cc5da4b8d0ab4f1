// SPDX-License-Identifier: MIT
// Finds sections that have words which begin as those of a query, or words that synonyms.txt has for them. Those come first that have
// more of the words, rarer ones, and in their heading, their page's title or the terms of their lists; those for contributors come last.
"use strict";

const most = 20;
/** Characters of a section that are shown. */
const longest = 320;
const query = document.getElementById("query");
const found = document.getElementById("found");

/** Text in which the words of a name such as keyboardHeight are words as well. */
const spaced = (text) => `${text} ${text.replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")}`;
const sections = searchIndex.map((row) => ({ row, parts: [row[1], row[3], row[4], row[6]].map(spaced) }));
const usualLength = sections.reduce((sum, { parts }) => sum + parts[2].length, 0) / sections.length;

/** Words that say nothing about what is looked for. */
const empty = new Set("a about allowed an and another are as at be between can difference do does for from has have happens how i if important in is it its know mean meaning means my need needed not of on only or per see set should that the their there this to told use used what when where which while who why will with without want you your".split(" "));

/** Text as a pattern. */
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll(" ", "[\\s-]+");
/** A word in any of its forms, as a pattern. */
const forms = (word) => {
  const verb = word.replace(/(?<=.{4})(?:ing|ed)$/u, "");
  return verb === word ? `${escaped(word.replace(/(?<=.{4})(?<!s)s$/u, ""))}(?:ing|e?d|s)?` : `${escaped(verb)}(?:ing|ed|es?|s)?`;
};

/** What is one of some phrases in any form, or begins with one: then its group is not empty. */
const begun = (phrases) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:(?:${phrases.map(forms).join("|")})(?![\\p{L}\\p{N}])|(?:${phrases.map(escaped).join("|")})(?<more>[\\p{L}\\p{N}]))`, "giu");

/** What a query looks for, a pattern each: its words, or two or three of them together, with what the pages say for them. */
function terms(text) {
  const words = text.toLowerCase().split(/[\s,;?!-]+/).filter(Boolean);
  const found = [];
  while (words.length > 0) {
    const phrase = [3, 2].map((count) => words.slice(0, count).join(" ")).find((one) => Object.hasOwn(synonyms, one)) ?? words[0];
    words.splice(0, phrase.split(" ").length);
    const others = Object.hasOwn(synonyms, phrase) ? synonyms[phrase] : [];
    found.push({ isEmpty: empty.has(phrase), pattern: begun([phrase, ...others]) });
  }
  const meant = found.filter(({ isEmpty }) => !isEmpty);
  return (meant.length > 0 ? meant : found).map(({ pattern }) => pattern);
}

/** How often a text has what is looked for; the beginning of a longer word is half of it. */
function frequency(text, pattern) {
  let sum = 0;
  for (const match of text.matchAll(pattern)) sum += match.groups.more ? 0.5 : 1;
  return sum;
}

/** Sections that have what is looked for, the best first. */
function ranked(patterns) {
  const scores = sections.map(({ row }) => ({ row, count: 0, score: 0 }));
  for (const pattern of patterns) {
    const found = sections.map(({ parts }) => parts.map((part) => frequency(part, pattern)));
    const rarity = Math.log(1 + sections.length / Math.max(1, found.filter((part) => part.some(Boolean)).length));
    for (const [index, [inTitle, inHeading, inText, inTerms]] of found.entries()) {
      if (inTitle + inHeading + inText === 0) continue;
      // The more often in a text the more, the less if it is long.
      const share = inText / (inText + 0.5 + 0.5 * sections[index].parts[2].length / usualLength);
      scores[index].count += 1;
      scores[index].score += rarity * (1 + share + 2 * Math.min(1, inTitle) + 4 * Math.min(1, inHeading) + (inTerms >= 1 ? 1 : 0));
    }
  }
  const value = ({ row, count, score }) => score * count ** 2 / (row[5] ? 10 : 1);
  return scores.filter(({ count }) => count > 0).sort((left, right) => value(right) - value(left)).map(({ row }) => row);
}

/** The sentences that have most of what is looked for, where it stands closest together, and their place in the page. */
function excerpt([, , section, heading, text, , , places], patterns) {
  const found = patterns.flatMap((pattern, index) => [...text.matchAll(pattern)].map((match) => [match.index, index]))
    .filter(([start]) => start >= heading.length).sort(([left], [right]) => left - right);
  let [best, most, least] = [heading.length, 0, 0];
  for (const [at, [start]] of found.entries()) {
    const seen = new Set();
    let span = 0;
    for (let next = at; next < found.length && found[next][0] < start + longest * 0.8; next += 1) {
      if (!seen.has(found[next][1])) span = found[next][0] - start;
      seen.add(found[next][1]);
    }
    if (seen.size > most || (seen.size === most && span < least)) [best, most, least] = [start, seen.size, span];
  }
  // From the beginning of the sentence, or of the item.
  const place = places.filter(([, before]) => before <= best && before > best - longest / 2).pop() ?? [section, heading.length];
  const start = text.length - heading.length <= longest ? heading.length
    : Math.max(place[1], text.slice(0, best).search(/(?<=[.:] )[^.:]*$/), best - longest / 2);
  const end = text.length <= start + longest ? text.length : text.lastIndexOf(" ", start + longest);
  return { place: place[0], sample: (start > heading.length ? "…" : "") + text.slice(start, end).trim() + (end < text.length ? "…" : "") };
}

function search() {
  const patterns = terms(query.value);
  const rows = ranked(patterns);
  found.replaceChildren(...rows.slice(0, most).map((row) => {
    const [page, title, section, heading] = row;
    const { place, sample } = excerpt(row, patterns);
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = place ? `${page}#${encodeURIComponent(place)}` : page;
    link.dataset.section = section ? `${page}#${section}` : page;
    link.textContent = heading && heading !== title ? `${title}: ${heading}` : title;
    const shown = document.createElement("p");
    shown.textContent = sample;
    item.append(link, shown);
    return item;
  }));
  if (patterns.length > 0 && rows.length === 0) {
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
