/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  cleaning_location: [],
  cleaning_template: [],
} as const
