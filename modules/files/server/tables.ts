/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  file_dir: [],
  file_info: [],
  file_share: [],
  file_usage: [],
} as const
