import { secretColumn, transientColumn, type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    wechat_account: {
      columns: {
        run_secret: secretColumn('AppSecret'),
        run_token: secretColumn('令牌'),
        run_aes_key: secretColumn('消息加解密密钥'),
        run_access_token: secretColumn('接口凭证'),
        run_access_until: transientColumn('接口凭证有效至'),
        run_renewal_holder: transientColumn('更新凭证的进程'),
        run_renewal_until: transientColumn('更新凭证占用至'),
      },
    },
    wechat_menu: { columns: { run_published_digest: transientColumn('已发布菜单的摘要') } },
    wechat_mass_receiver: {
      label: '公众号群发的接收人',
      columns: {
        mass_id: '群发编号',
        follower_id: '关注者编号',
        batch_no: '批次',
        queue_day: '日期',
        state: '结果',
      },
    },
    wechat_mass_batch: {
      label: '公众号群发的批次',
      columns: {
        mass_id: '群发编号',
        batch_no: '批次',
        account_id: '公众号编号',
        message_id: '微信的群发编号',
        receiver_count: '人数',
        arrived_count: '送达',
        status: '微信的结果',
        report_time: '回报时间',
      },
    },
    wechat_job_report: { label: '微信先到的群发结果', omitted: 'transient' },
    wechat_inbox: { label: '已收到的微信消息', omitted: 'transient' },
  },
}
