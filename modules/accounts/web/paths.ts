/** Where the screens of this module are, and those of other modules that they lead to. */
export const paths = {
  settingHome: '/setting/indexSetting',
  addManager: '/setting/permission/managerlist/addmanager',
  editRole: '/setting/permission/rolelist/editrole',
  role: '/setting/permission/rolelist/roledetail',
  /** Of the products. */
  renew: '/setting/permission/personcenter/userRenew',
} as const
