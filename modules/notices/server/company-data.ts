import type { CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    advertisement_click: { label: '广告点击', omitted: 'transient' },
    notice_screen_link: { label: '信息屏链接', omitted: 'secret' },
  },
}
