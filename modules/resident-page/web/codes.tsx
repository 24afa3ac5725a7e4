import { Button } from 'antd'
import { useState } from 'react'
import { useChosenProject } from '#kit/web/chosen-project.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { QrCode } from '#kit/web/qr-code.tsx'
import { useCall } from '#kit/web/query.ts'
import { runAction } from '#kit/web/run-action.ts'
import { download } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import { listEntranceCodes, printEntranceCodes } from '../contract/codes.ts'
import { menu } from '../module.ts'
import './codes.css'

const addressOf = (url: string): string => new URL(url, location.origin).href

function Codes({ projectCode }: { readonly projectCode: string }) {
  const codes = useCall(listEntranceCodes, { projectCode }, { quiet: true })
  return (
    <Loaded query={codes} height={320} rows={6}>
      {rows => (
        <ul>
          {rows.map(({ url, name }) => (
            <li key={url}>
              <div aria-hidden>
                <QrCode value={addressOf(url)} size={128} />
              </div>
              <b>{name}</b>
              <a href={url} target="_blank" rel="noreferrer">
                打开
              </a>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}

/** 住户页二维码: one of the project and one of each building, to be printed and hung there. */
export default function ResidentCodesPage() {
  const projectCode = useChosenProject()
  const canPrint = usePermission()(menu.page.permissions.print)
  const [isBusy, setBusy] = useState(false)
  const print = async (): Promise<void> => {
    if (projectCode === undefined) return
    setBusy(true)
    await runAction(() => download(printEntranceCodes, { projectCode, origin: location.origin }))
    setBusy(false)
  }
  return (
    <div className="resident-codes">
      <header>
        <p>
          张贴在大堂、电梯厅。住户扫码后，凭在物业登记的手机号与短信验证码登录，或凭已绑定的微信登录，30
          天内免登录。
        </p>
        {canPrint && (
          <Button
            type="primary"
            loading={isBusy}
            disabled={projectCode === undefined}
            title={projectCode === undefined ? '请先在页面上方选择一个项目' : undefined}
            onClick={() => void print()}
          >
            下载打印
          </Button>
        )}
      </header>
      {projectCode === undefined ? (
        <Empty text="请先在页面上方选择一个项目" />
      ) : (
        <Codes key={projectCode} projectCode={projectCode} />
      )}
    </div>
  )
}
