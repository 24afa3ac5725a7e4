import type { CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    erasure_request: {
      columns: {
        run_mentions: '已确认的疑似记录',
        run_approve_by: '审批人编号',
        run_journal: '恢复备份后重新执行的依据',
      },
    },
    personal_data_hold: {
      label: '依法保留的个人信息',
      columns: {
        id: '编号',
        request_id: '删除请求编号',
        table_name: '表',
        row_ids: '行的编号',
        until_date: '保留至',
        release_time: '到期清除时间',
        kept: '依法保留的姓名',
      },
    },
    retention_setting: {
      label: '保存期限',
      columns: {
        is_on: '到期自动清除',
        periods: '期限',
        version: '版本',
        last_run_time: '上次运行',
        last_run_count: '上次运行清除条数',
      },
      // The importer looks at the periods first.
      imported: { is_on: 'false' },
    },
    retention_run: {
      label: '到期清除记录',
      columns: {
        rule_key: '种类',
        run_day: '日期',
        row_count: '条数',
        last_time: '最后一批的时间',
      },
    },
  },
}
