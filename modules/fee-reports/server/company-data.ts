import { type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    fc_pending: { label: '待汇总的日期', columns: { id: '编号', project_code: '项目', day: '日期' } },
    fee_pulse: {
      label: '收费情况汇总',
      columns: {
        id: '编号',
        project_code: '项目',
        month: '月份',
        build_code: '楼栋',
        households: '户数',
        clear: '结清户数',
        age_counts: '各账龄户数',
        age_sums: '各账龄金额',
      },
    },
    fee_pulse_time: { label: '收费情况汇总时间', columns: { month: '月份', build_time: '汇总时间' } },
  },
}
