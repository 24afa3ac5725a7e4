import { type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    resident: { columns: { run_wechat: '微信标识', run_wechat_time: '微信绑定时间' } },
    resident_fingerprint_template: { label: '住户指纹模板', omitted: 'secret' },
    resident_wechat_ticket: { label: '微信绑定二维码', omitted: 'secret' },
  },
}
