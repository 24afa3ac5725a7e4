/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  park_camera: [],
  park_camera_nonce: [],
  park_camera_reading: [],
} as const
