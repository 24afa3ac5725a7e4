/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  wechat_account: [],
  wechat_estate: [],
  wechat_follower: [],
  wechat_image_group: [],
  wechat_inbox: [],
  wechat_job_report: [],
  wechat_mass: [],
  wechat_mass_batch: [],
  wechat_mass_receiver: [],
  wechat_material: [],
  wechat_menu: [],
  wechat_mini_image: [],
  wechat_reply: [],
  wechat_template: [],
} as const
