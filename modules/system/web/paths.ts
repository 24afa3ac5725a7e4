/** Where the screens of this module are, and those of other modules that they lead to. */
export const paths = {
  noticeSetting: '/setting/sysNotice/systemmessage/noticesetlist',
  message: '/setting/sysNotice/systemmessage/sytemdetail',
  /** Of the accounts. */
  personCentre: '/setting/permission/personcenter',
} as const
