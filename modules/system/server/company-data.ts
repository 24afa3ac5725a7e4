import { type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    notification: {
      columns: { run_ring: '提醒时间', run_mail: '邮件时间', run_mail_attempts: '邮件尝试次数' },
    },
    notification_setting: {
      label: '消息设置',
      columns: {
        operator_id: '管理员编号',
        off: '不提醒的种类',
        quiet_from: '免打扰自',
        quiet_to: '免打扰至',
        mailed: '发邮件的种类',
      },
    },
    system_notice: { columns: { run_waits: '待发送' } },
    user_setup: {
      label: '个人界面设置',
      columns: { operator_id: '管理员编号', key: '设置', value: '值' },
    },
  },
}
