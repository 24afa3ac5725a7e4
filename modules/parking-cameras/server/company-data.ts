import { codeOf } from '#kit/contract/field.ts'
import { secretColumn, type CompanyData } from '#kit/server/company-data/declaration.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'

export const companyData: CompanyData = {
  tables: {
    park_camera: {
      columns: { run_key: secretColumn('密钥') },
      // Its key stays behind: a new one is made where it is put to use again.
      imported: { state: String(codeOf(enabledState, 'off')) },
    },
    park_camera_nonce: { label: '相机请求的随机数', omitted: 'transient' },
  },
}
