/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  advertisement: [],
  advertisement_click: [],
  matter: [],
  notice_receiver: [],
  notice_screen: [],
  notice_screen_link: [],
  notice_template: [],
  public_notice: [],
  public_notice_version: [],
  staff_notice: [],
  user_notice: [],
} as const
