import { type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    process_copy: {
      label: '审批抄送',
      columns: {
        instance_id: '审批编号',
        manager_id: '收件人编号',
        copy_time: '抄送时间',
        read_time: '已读时间',
      },
    },
  },
}
