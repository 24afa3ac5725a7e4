import { codeOf } from '#kit/contract/field.ts'
import { secretColumn, transientColumn, type CompanyData } from '#kit/server/company-data/declaration.ts'
import { apiKeyState } from '../contract/api-key.ts'
import { webhookState } from '../contract/webhook.ts'

export const companyData: CompanyData = {
  tables: {
    api_key: {
      columns: {
        run_minute: transientColumn('计数的一分钟'),
        run_minute_calls: transientColumn('该分钟的次数'),
      },
      // Its digest stays behind: no program can present it any more.
      imported: { state: String(codeOf(apiKeyState, 'revoked')) },
    },
    webhook_endpoint: {
      columns: {
        run_secret: secretColumn('签名密钥'),
        run_old_secret: secretColumn('原签名密钥'),
        run_old_until: transientColumn('原签名密钥有效至'),
        run_due: transientColumn('下次推送时间'),
        run_lease_holder: transientColumn('推送进程'),
        run_lease_until: transientColumn('推送进程占用至'),
      },
      imported: { state: String(codeOf(webhookState, 'off')) },
    },
    webhook_event: { label: '待分发的事件', omitted: 'transient' },
  },
}
