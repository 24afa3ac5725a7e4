import { transientColumn, type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    message_batch: {
      label: '消息批次',
      columns: {
        id: '编号',
        source: '来源',
        biz_id: '业务编号',
        channel: '渠道',
        purpose: '用途',
        title: '标题',
        provider_code: '模板',
        params: '模板参数',
        link: '链接',
        create_by: '操作人编号',
      },
    },
    sms_account: { columns: { run_warned: transientColumn('已提醒余量不足') } },
    sms_number_file: { label: '号码文件', omitted: 'transient' },
    sms_number: { label: '号码文件的行', omitted: 'transient' },
    outgoing_message: {
      columns: {
        run_params: '模板参数',
        run_variables: '变量',
        run_claim: transientColumn('取走时间'),
        run_pending: transientColumn('尚未交出'),
        run_cancel: transientColumn('停止发送'),
      },
    },
  },
}
