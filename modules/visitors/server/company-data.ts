import type { CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: { invite_code_reading: { label: '门禁设备的读码', omitted: 'transient' } },
}
