import { secretColumn, type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: { elevator_call: { columns: { run_item_key: secretColumn('凭证') } } },
}
