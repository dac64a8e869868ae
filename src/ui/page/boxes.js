// Boxes drawn at their places on a page, in layers that can be hidden.

import { checkbox, draw, make } from "./dom.js";

/** The items whose place is known. */
export const placed = (items) => (items ?? []).filter(({ x0, y0, x1, y1 }) =>
  [x0, y0, x1, y1].every((edge) => Number.isFinite(edge)));

export const box = ({ x0, y0, x1, y1 }, properties, title) =>
  draw("rect", { x: x0, y: y0, width: Math.max(x1 - x0, 0), height: Math.max(y1 - y0, 0), ...properties },
    title && draw("title", {}, title));

/** The reading order: a line through the corners of the boxes, where their numbers cover little. */
export function readingOrder(boxes, size) {
  if (!boxes.length) return [];
  const sorted = [...boxes].sort((a, b) => a.order - b.order);
  const corner = ({ x0, y0 }) => [x0 - size * 0.6, y0];
  return [
    draw("polyline", { class: "order-line", points: sorted.map((one) => corner(one).join()).join(" ") }),
    ...sorted.map((one, index) => {
      const [x, y] = corner(one);
      return draw("g", { class: "order" }, draw("circle", { cx: x, cy: y, r: size }),
        draw("text", { x, y, "font-size": size * 1.1 }, index + 1));
    }),
  ];
}

/** Words as text that fills the length of their boxes, so that a page can be read. */
export function wordText({ x0, y0, x1, y1, text }) {
  const [width, height] = [x1 - x0, y1 - y0];
  // Words of turned pages and vertical lines.
  const isVertical = text?.length > 1 && height > 1.5 * width;
  const [length, size] = isVertical ? [height, width] : [width, height];
  const place = isVertical ? { x: x0 + width / 2, y: y0, "writing-mode": "vertical-rl" } : { x: x0, y: y1 - height * 0.2 };
  return draw("text", { ...place, "font-size": Math.max(size * 0.85, 0.1), textLength: Math.max(length, 0.1),
    lengthAdjust: "spacingAndGlyphs" }, text);
}

/**
 * A page of layers `{name, shown, items}`, from the lowest to the highest: its element, its
 * picture, and a function that shows a layer. The boxes count from the corner `left`, `top`.
 */
export function pageOfLayers({ left = 0, top = 0, width, height, label, layers, below }) {
  const groups = layers.filter(({ items }) => items.length).map(({ name, shown, items }) => {
    const group = draw("g", { class: `layer-${name.replaceAll(" ", "-")}` }, items);
    const show = (isShown) => group.toggleAttribute("hidden", !isShown);
    show(shown);
    return { name, group, control: checkbox(name, shown, show) };
  });
  const picture = draw("svg", { class: "drawn-page", viewBox: `${left} ${top} ${width} ${height}`, role: "img",
    "aria-label": label },
  draw("rect", { class: "paper", x: left, y: top, width, height }), groups.map(({ group }) => group));
  const show = (name) => {
    const input = groups.find((one) => one.name === name)?.control.firstChild;
    if (input && !input.checked) input.click();
  };
  const element = make("div", { class: "drawn" },
    make("div", { class: "bar layers", role: "group", "aria-label": "Layers" },
      groups.map(({ control }) => control)),
    below, picture);
  return { element, picture, show };
}
