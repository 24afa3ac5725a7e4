import type { CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: { merchant_link: { label: '商户手机页链接', omitted: 'secret' } },
}
