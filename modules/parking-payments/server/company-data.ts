import type { CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    parking_host_fee: {
      label: '被访人承担的停车费',
      columns: {
        id: '编号',
        project_code: '项目编码',
        visitor_id: '访客编号',
        invitation_id: '邀访编号',
        stay_id: '出入记录编号',
        plate_no: '车牌',
        amount: '金额',
        bill_id: '账单编号',
        state: '状态',
        version: '版本',
      },
    },
  },
}
