import { type CompanyData, secretColumn } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    invoice_notice: { label: '开票通知记录', columns: { nonce: '通知编号' } },
    invoice_record: { columns: { run_red_due: '待红冲' } },
    invoice_set: { columns: { run_secret: secretColumn('平台密钥') } },
  },
}
