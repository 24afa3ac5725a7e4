import { type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    bill: {
      columns: { run_free: '已释放时段', run_split_root: '拆分来源账单' },
    },
    bill_counter: { label: '账单号计数（旧）', columns: { prefix: '前缀', day: '日期', last: '最后的号' } },
    bill_month: {
      label: '账单按月分摊',
      columns: {
        bill_id: '账单编号',
        month: '月份',
        project_code: '项目',
        fee_item_id: '收费项目编号',
        days: '天数',
        receivable: '应收',
        discount: '优惠',
        paid: '已收',
      },
    },
    bill_move: {
      label: '账单收支',
      columns: {
        id: '编号',
        bill_id: '账单编号',
        day: '日期',
        principal: '本金',
        late_fee: '违约金',
        off: '抹零',
        waived: '减免违约金',
        ref_type: '来源种类',
        ref_id: '来源编号',
      },
    },
  },
}
