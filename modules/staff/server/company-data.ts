import { type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    staff_fingerprint_template: { label: '指纹模板', omitted: 'secret' },
  },
}
