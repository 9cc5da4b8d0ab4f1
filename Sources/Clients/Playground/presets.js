// SPDX-License-Identifier: MIT
//
// Headers to begin with: one for each behavior, and the examples of config/examples that hang from the top,
// word for word (a test compares them).

/** What the presets that a daemon has installed are shown on. */
export const plainHeader = {
  scrollViews: { content: { contentInset: { top: 104 } } },
  drawers: [{ name: "header", height: 104, minimumHeight: 56, maximumHeight: 104 }],
};

export const presets = [
  {
    title: "ShyNavBar: bar and tabs",
    description: {
      environment: { statusBarHeight: 20 },
      scrollViews: { content: { contentInset: { top: 64 } } },
      drawers: [{ name: "navBar", height: 44 }, { name: "tabs", height: 40 }],
      delegates: [{ behavior: "ShyNavBar" }],
    },
  },
  {
    title: "FlexibleHeader: collapse and stretch",
    description: {
      environment: { statusBarHeight: 20 },
      drawers: [{ name: "header", height: 76, minimumHeight: 56, maximumHeight: 160 }],
      delegates: [{ behavior: "FlexibleHeader", options: { minimumHeight: 56, maximumHeight: 160 } }],
    },
  },
  {
    title: "StretchyHeader: a tall title",
    description: {
      drawers: [{ name: "cover", height: 180 }],
      delegates: [{ behavior: "StretchyHeader", options: { headerHeight: 200, titleSpacing: 20 } }],
    },
  },
  {
    title: "FlexibleHeightBar: snapping",
    description: {
      scrollViews: { content: { contentInset: { top: 105 } } },
      drawers: [{ name: "bar", height: 105, minimumHeight: 20, maximumHeight: 105 }],
      delegates: [
        {
          behavior: "FlexibleHeightBar",
          options: {
            definer: "facebook",
            snapping: [{ progress: 0, start: 0, end: 0.5 }, { progress: 1, start: 0.5, end: 1 }],
          },
        },
      ],
    },
  },
  {
    title: "Example: fading title",
    example: "fading-title",
    description: {
      header: "article",
      environment: { statusBarHeight: 20 },
      scrollViews: {
        content: { viewport: { width: 375, height: 667 }, contentSize: { height: 4000 }, contentInset: { top: 64 } },
      },
      drawers: [
        {
          name: "navBar",
          height: 44,
          elements: [
            { name: "background", frame: { x: 0, y: 0, width: 375, height: 44 } },
            { name: "title", frame: { x: 100, y: 8, width: 175, height: 28 } },
            { name: "button", frame: { x: 323, y: 8, width: 44, height: 28 } },
          ],
        },
      ],
      delegates: [
        { behavior: "ShyNavBar", options: { fadeBehavior: "disabled" } },
        {
          behavior: "Keyframes",
          options: {
            tracks: [
              {
                element: "title",
                drawer: "navBar",
                by: "contraction",
                to: 0.5,
                keys: [{ progress: 0 }, { progress: 1, alpha: 0, scale: 0.8, translation: { x: 0, y: 6 } }],
              },
              {
                element: "button",
                drawer: "navBar",
                by: "contraction",
                from: 0.5,
                keys: [{ progress: 0 }, { progress: 1, alpha: 0 }],
              },
            ],
          },
        },
      ],
    },
  },
  {
    title: "Example: parallax",
    example: "parallax",
    description: {
      header: "profile",
      scrollViews: { content: { viewport: { width: 375, height: 667 }, contentSize: { height: 3000 } } },
      drawers: [
        {
          name: "cover",
          height: 180,
          elements: [
            { name: "image", frame: { x: 0, y: 0, width: 375, height: 180 } },
            { name: "caption", frame: { x: 20, y: 140, width: 335, height: 30 } },
          ],
        },
      ],
      delegates: [
        { behavior: "StretchyHeader", options: { headerHeight: 200, titleSpacing: 20 } },
        {
          behavior: "Keyframes",
          options: {
            tracks: [
              {
                element: "image",
                value: "topConstant",
                from: 0,
                to: -180,
                keys: [{ progress: 0 }, { progress: 1, translation: { x: 0, y: 90 } }],
              },
              {
                element: "image",
                drawer: "cover",
                by: "height",
                from: 180,
                to: 380,
                keys: [
                  { progress: 0, frame: { x: 0, y: 0, width: 375, height: 180 } },
                  { progress: 1, frame: { x: -208.3333333333333, y: 0, width: 791.6666666666666, height: 380 } },
                ],
              },
              {
                element: "caption",
                drawer: "cover",
                by: "top",
                from: 0,
                to: -60,
                keys: [{ progress: 0 }, { progress: 1, alpha: 0 }],
              },
            ],
          },
        },
      ],
    },
  },
  {
    title: "Example: square cash",
    example: "square-cash",
    description: {
      header: "profile",
      scrollViews: {
        content: { viewport: { width: 375, height: 667 }, contentSize: { height: 2000 }, contentInset: { top: 200 } },
      },
      drawers: [
        {
          name: "bar",
          height: 200,
          minimumHeight: 65,
          elements: [{ name: "name", frame: { x: 127.5, y: 137, width: 120, height: 26 } }],
        },
      ],
      delegates: [
        {
          behavior: "FlexibleHeightBar",
          options: {
            definer: "squareCash",
            elasticMaximumHeightAtTop: true,
            snapping: [{ progress: 0, start: 0, end: 0.5 }, { progress: 1, start: 0.5, end: 1 }],
            elements: [
              {
                element: "name",
                layouts: [
                  { name: "large", size: { width: 120, height: 26 }, center: { x: 187.5, y: 150 } },
                  { name: "middle", copyOf: "large", center: { x: 187.5, y: 69 } },
                  { name: "small", copyOf: "middle", center: { x: 187.5, y: 40 } },
                ],
                keys: [
                  { progress: 0, layout: "large" },
                  { progress: 0.6, layout: "middle" },
                  { progress: 1, layout: "small" },
                ],
              },
            ],
          },
        },
      ],
    },
  },
  {
    title: "Example: photo",
    example: "photo",
    description: {
      header: "album",
      scrollViews: { content: { viewport: { width: 375, height: 667 }, contentSize: { height: 3000 } } },
      drawers: [{ name: "photo", height: 200 }],
      delegates: [
        {
          behavior: "FlexibleHeader",
          options: { minimumHeight: 56, maximumHeight: 200, shiftBehavior: "enabled" },
        },
      ],
    },
  },
  {
    title: "Example: shop",
    example: "shop",
    description: {
      header: "shop",
      scrollViews: { content: { viewport: { width: 390, height: 844 }, contentSize: { height: 6000 } } },
      environment: { safeAreaInset: { top: 47 }, statusBarHeight: 47 },
      drawers: [
        { name: "search", height: 52, elements: [{ name: "field", frame: { x: 16, y: 8, width: 358, height: 36 } }] },
        { name: "hero", height: 240, elements: [{ name: "title", frame: { x: 16, y: 180, width: 358, height: 34 } }] },
        { name: "tabs", height: 44 },
      ],
      delegates: [
        {
          behavior: "CollapsingHeader",
          options: {
            drawers: [
              { drawer: "search", shift: true, returns: "anywhere", rest: { by: "nearest", duration: 0.2 } },
              {
                drawer: "hero",
                shift: true,
                returns: "atTop",
                stretch: { factor: 1 },
                fade: { from: 0.5 },
                parallax: 0.5,
              },
              { drawer: "tabs", pin: true },
            ],
          },
        },
        {
          behavior: "Keyframes",
          options: {
            tracks: [
              {
                element: "title",
                drawer: "hero",
                by: "top",
                from: 99,
                to: -21,
                keys: [{ progress: 0 }, { progress: 1, alpha: 0 }],
              },
            ],
          },
        },
      ],
    },
  },
];
