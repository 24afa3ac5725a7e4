import { type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    meter_unread: {
      label: '未抄原因',
      columns: { meter_id: '仪表编号', month: '月份', reason: '原因代码', remark: '备注' },
    },
  },
}
