/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  patrol_area: [],
  patrol_device: [],
  patrol_point: [],
  patrol_road: [],
  patrol_road_point: [],
  patrol_template: [],
} as const
