import { type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    channel_bill: { columns: { run_hash: '文件摘要' } },
    reconcile_item: {
      columns: {
        run_nth: '序号',
        run_order_id: '支付单编号',
        run_refund_id: '退款单编号',
        run_told: '已通知',
      },
    },
  },
}
