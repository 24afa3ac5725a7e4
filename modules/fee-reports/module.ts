import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('fee-reports', {
  home: { label: '财务首页' },
  report: { label: '财务报表', buttons: { export: '导出' } },
  fee: { label: '费用汇总', sensitive: true, buttons: { generate: '结转', export: '导出' } },
  till: { label: '收费汇总表', sensitive: true, buttons: { rebuild: '重算', export: '导出' } },
})

const reportCenterPath = '/finance/reportCenter'
const financeReportsPath = `${reportCenterPath}/financialManagement`

/** The addresses of the module's screens. */
export const paths = {
  home: '/finance/indexFinance',
  feeSummary: '/finance/chargemanage/feeSummary',
  charge: `${financeReportsPath}/charge`,
  chargeSummary: `${financeReportsPath}/chargesummary`,
  room: `${financeReportsPath}/room`,
  trade: `${financeReportsPath}/trade`,
  meter: `${financeReportsPath}/meter`,
  meterMonths: `${financeReportsPath}/metermonthsummary`,
  invoice: `${financeReportsPath}/invoice`,
  parking: `${financeReportsPath}/park`,
  prestore: `${financeReportsPath}/summaryofreserves`,
} as const

export const manifest = defineModule({
  name: 'fee-reports',
  label: '财务报表',
  menus: menu,
  screens: [
    {
      path: paths.home,
      title: '财务首页',
      needs: menu.home.permissions.view,
      section: 'fee',
      group: '报表',
      allProjects: true,
    },
    {
      path: paths.feeSummary,
      title: '费用汇总',
      needs: menu.fee.permissions.view,
      section: 'fee',
      group: '报表',
      allProjects: true,
    },
    {
      path: reportCenterPath,
      title: '报表中心',
      needs: menu.report.permissions.view,
      redirectTo: financeReportsPath,
    },
    {
      path: financeReportsPath,
      title: '财务报表',
      needs: menu.report.permissions.view,
      redirectTo: `${financeReportsPath}/charge`,
    },
    {
      path: paths.charge,
      title: '收费报表',
      needs: menu.report.permissions.view,
      section: 'fee',
      group: '报表',
      allProjects: true,
    },
    {
      path: paths.chargeSummary,
      title: '收费汇总表',
      needs: menu.till.permissions.view,
      section: 'fee',
      group: '报表',
      allProjects: true,
    },
    {
      path: paths.room,
      title: '房间报表',
      needs: menu.report.permissions.view,
      section: 'fee',
      group: '报表',
      allProjects: true,
    },
    {
      path: paths.trade,
      title: '交易报表',
      needs: menu.report.permissions.view,
      section: 'fee',
      group: '报表',
      allProjects: true,
    },
    {
      path: paths.meter,
      title: '抄表报表',
      needs: menu.report.permissions.view,
      section: 'fee',
      group: '业务报表',
      allProjects: true,
    },
    {
      path: paths.meterMonths,
      title: '抄表月度汇总',
      needs: menu.report.permissions.view,
      section: 'fee',
      group: '业务报表',
      allProjects: true,
    },
    {
      path: paths.invoice,
      title: '发票报表',
      needs: menu.report.permissions.view,
      section: 'fee',
      group: '业务报表',
      allProjects: true,
    },
    {
      path: paths.parking,
      title: '停车报表',
      needs: menu.report.permissions.view,
      section: 'fee',
      group: '业务报表',
      allProjects: true,
    },
    {
      path: paths.prestore,
      title: '预存汇总',
      needs: menu.report.permissions.view,
      section: 'fee',
      group: '业务报表',
      allProjects: true,
    },
  ],
})
