/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  internal_notice: [],
  internal_notice_receiver: [],
  portal_image_text: [],
  portal_project: [],
  portal_service: [],
  portal_website: [],
} as const
