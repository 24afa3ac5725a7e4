import { type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    property_account: { label: '公司余额', columns: { balance: '余额' } },
  },
}
