import { Button } from 'antd'
import { useState } from 'react'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { useChosenProject } from '#kit/web/chosen-project.ts'
import { Empty } from '#kit/web/page-feedback.tsx'
import { QrCode } from '#kit/web/qr-code.tsx'
import { useCall } from '#kit/web/query.ts'
import { runAction } from '#kit/web/run-action.ts'
import { fetchFile, saveAs } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { listPayCodes, payCodePark, printPayCodes } from '../contract/pay-code.ts'
import { menu } from '../module.ts'
import './pay-codes.css'

const addressOf = (url: string): string => new URL(url, location.origin).href

async function download(parkId: Id): Promise<void> {
  const file = await fetchFile(printPayCodes, { parkId, origin: location.origin })
  saveAs(file.blob, file.name)
}

function Codes({ parkId }: { readonly parkId: Id }) {
  const codes = useCall(listPayCodes, { parkId }, { quiet: true })
  return (
    <Loaded query={codes} height={320} rows={6}>
      {rows => (
        <ul>
          {rows.map(({ url, name, use }) => (
            <li key={url}>
              <div aria-hidden>
                <QrCode value={addressOf(url)} size={128} />
              </div>
              <b>{name}</b>
              <span>{use}</span>
              <a href={url} target="_blank" rel="noreferrer">
                打开缴费页
              </a>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}

/** 缴费二维码: of a car park one for its lobbies and one of each lane, to be printed and hung there. */
export function PayCodes() {
  const project = useChosenProject()
  const canPrint = usePermission()(menu.payment.permissions.print)
  const [parkId, setPark] = useState<Id>(0)
  const [busy, setBusy] = useState(false)
  const print = async (): Promise<void> => {
    setBusy(true)
    await runAction(() => download(parkId))
    setBusy(false)
  }
  return (
    <div className="pay-codes">
      <header>
        <div className="park">
          <RefSelect
            field={payCodePark}
            value={parkId || undefined}
            formValues={project === undefined ? {} : { projectCode: project }}
            onChange={value => setPark(parseId(String(value ?? '')))}
          />
        </div>
        {canPrint && (
          <Button
            type="primary"
            loading={busy}
            disabled={parkId === 0}
            title={parkId === 0 ? '请先选择停车场' : undefined}
            onClick={() => void print()}
          >
            下载打印
          </Button>
        )}
      </header>
      {parkId === 0 ? <Empty text="请选择停车场" /> : <Codes key={parkId} parkId={parkId} />}
    </div>
  )
}
