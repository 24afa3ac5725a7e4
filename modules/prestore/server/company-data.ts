import { type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    prestore_account: { columns: { run_warned: '已提醒余额不足' } },
  },
}
