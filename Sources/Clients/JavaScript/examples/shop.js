// SPDX-License-Identifier: MIT
// What there is, what was searched for, and on which shelf.
const names = ["Alder", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Juniper", "Larch", "Maple", "Oak", "Pine", "Rowan"];
const lamps = names.flatMap((name, index) => ["table", "floor"].map((shelf) => ({ name, shelf, price: 29 + 10 * index + (shelf === "floor" ? 40 : 0) })));
const list = document.querySelector("ul"), search = document.querySelector("input");

function show() {
  const wanted = ["table", "floor"].find((shelf) => location.hash === `#${shelf}`);
  const found = lamps.filter(({ name, shelf }) => shelf === (wanted ?? shelf) && name.toLowerCase().includes(search.value.toLowerCase()));
  list.replaceChildren(...found.map(({ name, shelf, price }) => {
    const item = document.createElement("li");
    item.className = shelf;
    item.append(Object.assign(document.createElement("b"), { textContent: name }), ` ${shelf} lamp, ${price} €`);
    return item;
  }));
}

search.addEventListener("input", show);
addEventListener("hashchange", show);
show();
