/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  activity: [],
  activity_sign: [],
} as const
