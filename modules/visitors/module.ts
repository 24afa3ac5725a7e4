import { menus, defineModule, publicScreen } from '#kit/contract/module.ts'

export const menu = menus('visitors', {
  invitation: { label: '邀访', buttons: { audit: '审批', link: '邀访链接', export: '导出' } },
  visit: { label: '访客登记', buttons: { check: '核验登记', export: '导出' } },
  block: { label: '访客黑名单' },
  rule: { label: '邀请规则' },
  setting: { label: '访客设置' },
  template: { label: '邀请函模板', buttons: { publish: '发布' } },
})

const section = '/doorvisitors'

/** Where the screens of the module stand; a screen joins the manifest once it is built. */
export const paths = {
  invitations: `${section}/invitrecode`,
  invitation: `${section}/invitrecode/viewvisitorsrecode`,
  visits: `${section}/visitorsrecode`,
  settings: `${section}/invistssetting`,
  /** The guard's screen and what it knows of visitors. */
  information: '/visitorinformation',
  approval: '/informationapproval',
  /** The page of a host, by the link of a resident or of a company's worker (`?t=`); outside the shell. */
  host: '/visit/host',
  /** The page of one visitor, by the link of the visit (`?t=`); outside the shell. */
  guest: '/visit/pass',
} as const

const inGroup = { section: 'site', group: '访客', allProjects: true } as const
const { view, audit } = menu.invitation.permissions

export const manifest = defineModule({
  name: 'visitors',
  label: '访客',
  menus: menu,
  screens: [
    {
      path: paths.invitations,
      title: '邀访记录',
      needs: view,
      keywords: ['访客', '邀请访客', '邀访链接'],
      ...inGroup,
    },
    { path: paths.invitation, title: '查看邀访记录', needs: view, allProjects: true },
    { path: paths.approval, title: '信息审批', needs: audit, keywords: ['访客审批'], ...inGroup },
    {
      path: paths.settings,
      title: '访客设置',
      needs: menu.rule.permissions.view,
      keywords: ['邀请规则', '核验类型', '门岗'],
      ...inGroup,
    },
    { path: paths.host, title: '邀请访客', ...publicScreen },
    { path: paths.guest, title: '访客邀请码', ...publicScreen },
    {
      path: paths.information,
      title: '访客信息',
      needs: menu.visit.permissions.view,
      keywords: ['门岗核验', '邀请码', '访客黑名单', '访客统计', '邀请函模板'],
      section: 'site',
      group: '访客',
    },
    { path: paths.visits, title: '访客记录', needs: menu.visit.permissions.view, ...inGroup },
  ],
})
