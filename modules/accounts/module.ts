import { menus, nameplate } from '#kit/contract/module.ts'

export const menu = menus('accounts', {
  manager: { label: '管理员', grave: true, buttons: { domain: '数据范围', reset: '重置密码', factor: '重置二次验证', resign: '离职交接', export: '导出' } },
  role: { label: '角色与权限', grave: true, buttons: { export: '导出' } },
  company: { label: '公司信息', grave: true, buttons: { secret: '重置密钥' } },
  log: { label: '操作日志', buttons: { export: '导出' } },
})

export const plate = nameplate({
  name: 'accounts', label: '账号与权限', menus: menu,
  screens: [
    { path: '/setting', title: '系统设置', needs: undefined, to: '/setting/indexSetting' },
    { path: '/setting/indexSetting', title: '设置首页', needs: undefined, domain: 'setting', group: '设置', across: true },
    { path: '/setting/permission', title: '权限管理', needs: undefined, to: '/setting/permission/managerlist' },
    { path: '/setting/permission/managerlist', title: '管理员', needs: menu.manager.may.view, domain: 'setting', group: '权限管理', across: true },
    { path: '/setting/permission/managerlist/addmanager', title: '新增管理员', needs: menu.manager.may.add },
    { path: '/setting/permission/rolelist', title: '角色', needs: menu.role.may.view, domain: 'setting', group: '权限管理', across: true },
    { path: '/setting/permission/rolelist/editrole', title: '编辑角色', needs: menu.role.may.view },
    { path: '/setting/permission/rolelist/roledetail', title: '角色详情', needs: menu.role.may.view },
    { path: '/setting/permission/managerchange', title: '权限移交', needs: menu.manager.may.view, domain: 'setting', group: '权限管理', across: true },
    { path: '/setting/permission/basicsetting', title: '安全设置', needs: menu.company.may.view, domain: 'setting', group: '权限管理', across: true },
    { path: '/setting/permission/personcenter', title: '个人中心', needs: undefined, domain: 'setting', group: '设置', across: true },
    { path: '/setting/baseSetting', title: '基础配置', needs: undefined, to: '/setting/baseSetting/companydetail' },
    { path: '/setting/baseSetting/companydetail', title: '公司信息', needs: menu.company.may.view, domain: 'setting', group: '基础配置', across: true },
    { path: '/setting/baseSetting/initGuide', title: '初始化向导', needs: menu.company.may.view, domain: 'setting', group: '基础配置', across: true },
    { path: '/setting/materialdown', title: '资料下载', needs: undefined, domain: 'setting', group: '设置' },
    { path: '/setting/sysNotice', title: '系统通知', needs: undefined, to: '/setting/sysNotice/operatelog' },
    { path: '/setting/sysNotice/operatelog', title: '操作日志', needs: menu.log.may.view, domain: 'setting', group: '系统通知', across: true },
    { path: '/login', title: '登录', needs: undefined, bare: true },
    { path: '/wisdomlogin', title: '智慧平台登录', needs: undefined, bare: true },
    { path: '/psiplogin', title: 'PSIP登录', needs: undefined, bare: true },
    { path: '/doorwaylogin', title: '门禁系统登录', needs: undefined, bare: true },
    { path: '/parklogin', title: '停车系统登录', needs: undefined, bare: true },
    { path: '/officelogin', title: '办公系统登录', needs: undefined, bare: true },
    { path: '/ssologin', title: '单点登录', needs: undefined, bare: true },
    { path: '/goregister', title: '开通账号', needs: undefined, bare: true },
    { path: '/foundPassword', title: '找回密码', needs: undefined, bare: true },
    { path: '/retricepassword', title: '重置密码', needs: undefined, bare: true },
    { path: '/QrCode', title: '扫码登录', needs: undefined, bare: true },
    { path: '/changepassword', title: '修改密码', needs: undefined, bare: true },
    { path: '/setup', title: '开始使用', needs: undefined, bare: true },
  ],
})
