import { type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    fee_relation: { columns: { run_floor: '已出账至' } },
  },
}
