import { menus, nameplate } from '#kit/contract/module.ts'

export const menu = menus('fee-reports', {
  home: { label: '财务首页' },
  report: { label: '财务报表', buttons: { export: '导出' } },
  fee: { label: '费用汇总', grave: true, buttons: { generate: '结转', export: '导出' } },
  till: { label: '收费汇总表', grave: true, buttons: { rebuild: '重算', export: '导出' } },
})

const centre = '/finance/reportCenter'
const finance = `${centre}/financialManagement`

export const plate = nameplate({
  name: 'fee-reports',
  label: '财务报表',
  menus: menu,
  screens: [
    {
      path: '/finance/indexFinance',
      title: '财务首页',
      needs: menu.home.may.view,
      domain: 'fee',
      group: '报表',
      across: true,
    },
    {
      path: '/finance/chargemanage/feeSummary',
      title: '费用汇总',
      needs: menu.fee.may.view,
      domain: 'fee',
      group: '报表',
      across: true,
    },
    { path: centre, title: '报表中心', needs: menu.report.may.view, to: finance },
    { path: finance, title: '财务报表', needs: menu.report.may.view, to: `${finance}/charge` },
    {
      path: `${finance}/charge`,
      title: '收费报表',
      needs: menu.report.may.view,
      domain: 'fee',
      group: '报表',
      across: true,
    },
    {
      path: `${finance}/chargesummary`,
      title: '收费汇总表',
      needs: menu.till.may.view,
      domain: 'fee',
      group: '报表',
      across: true,
    },
    {
      path: `${finance}/room`,
      title: '房间报表',
      needs: menu.report.may.view,
      domain: 'fee',
      group: '报表',
      across: true,
    },
    {
      path: `${finance}/trade`,
      title: '交易报表',
      needs: menu.report.may.view,
      domain: 'fee',
      group: '报表',
      across: true,
    },
    {
      path: `${finance}/meter`,
      title: '抄表报表',
      needs: menu.report.may.view,
      domain: 'fee',
      group: '业务报表',
      across: true,
    },
    {
      path: `${finance}/metermonthsummary`,
      title: '抄表月度汇总',
      needs: menu.report.may.view,
      domain: 'fee',
      group: '业务报表',
      across: true,
    },
    {
      path: `${finance}/invoice`,
      title: '发票报表',
      needs: menu.report.may.view,
      domain: 'fee',
      group: '业务报表',
      across: true,
    },
    {
      path: `${finance}/park`,
      title: '停车报表',
      needs: menu.report.may.view,
      domain: 'fee',
      group: '业务报表',
      across: true,
    },
    {
      path: `${finance}/summaryofreserves`,
      title: '预存汇总',
      needs: menu.report.may.view,
      domain: 'fee',
      group: '业务报表',
      across: true,
    },
  ],
})
