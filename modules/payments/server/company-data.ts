import { type CompanyData, secretColumn } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    pay_channel: {
      columns: { run_api_key: secretColumn('APIv3 密钥'), run_private_key: secretColumn('商户私钥') },
      imported: { enabled: 'false' },
    },
    pay_line: {
      label: '收款方式明细',
      columns: { record_id: '收款记录编号', seq: '序号', method: '支付方式代码', amount: '金额' },
    },
    pay_notice: { label: '支付通知记录', columns: { channel: '渠道代码', nonce: '通知编号' } },
    pay_order: { columns: { run_about: '下单内容' } },
    receipt_counter: {
      label: '收据号计数',
      columns: { project_code: '项目', year: '年份', last: '最后的号' },
    },
  },
}
