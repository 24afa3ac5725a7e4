import { menus, nameplate } from '#kit/contract/module.ts'

export const menu = menus('bills', {
  bill: {
    label: '账单', grave: true, buttons: {
      generate: '生成账单', reprice: '调价后重新生成', audit: '审核', temporary: '临时费用', prepay: '预缴', import: '导入', export: '导出', abolish: '作废', recover: '恢复', discount: '减免', lateFee: '调整违约金',
      split: '拆分与还原', payer: '变更缴费人', amount: '修改金额', writeOff: '坏账核销', print: '打印',
    },
  },
  pool: { label: '公摊', buttons: { share: '分摊' } },
  notice: { label: '催缴', buttons: { urge: '催缴', letter: '打印催缴函' } },
})

export const plate = nameplate({
  name: 'bills', label: '账单', menus: menu,
  screens: [
    { path: '/finance/chargemanage', title: '收费管理', needs: menu.bill.may.view, to: '/finance/chargemanage/chargeList' },
    { path: '/finance/chargemanage/chargeList', title: '收费列表', needs: menu.bill.may.view, domain: 'fee', group: '日常', across: true },
    { path: '/finance/chargemanage/unpaidbills', title: '未缴账单', needs: menu.bill.may.view, domain: 'fee', group: '日常', across: true },
    { path: '/finance/chargemanage/demandmoney', title: '催缴管理', needs: menu.notice.may.view, domain: 'fee', group: '日常', across: true },
    { path: '/finance/chargemanage/redundantbills', title: '重复账单', needs: menu.bill.may.view, domain: 'fee', across: true },
    { path: '/doprint', title: '打印', needs: undefined, bare: true },
    { path: '/finance/chargemanage/chargeList/generate', title: '生成账单', needs: menu.bill.may.generate, domain: 'fee', group: '出账', wide: true },
    { path: '/finance/chargemanage/chargeList/runs', title: '出账批次', needs: menu.bill.may.view, domain: 'fee', group: '出账', across: true },
    { path: '/finance/chargemanage/chargeList/reprice', title: '按新价格重新生成', needs: menu.bill.may.reprice, across: true },
    { path: '/finance/chargemanage/sharepools', title: '公摊', needs: menu.pool.may.view, domain: 'fee', group: '出账', across: true },
  ],
})
