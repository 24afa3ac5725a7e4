import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { mustType } from '#kit/web/confirm.tsx'
import { count } from '#kit/web/figure.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { OutcomeDialog, useOutcome, type Outcome } from '#kit/web/outcome.tsx'
import type { Ticked } from '#kit/web/list/selection.ts'
import { useCall, useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import type { Bill } from '../contract/bill.ts'
import type { BillAsk } from '../contract/list.ts'
import { checkUrge, openChannels, urgeBills, urgeSearch } from '../contract/urge.ts'
import { urgeChannel } from '../contract/choices.ts'
import { billName } from './words.tsx'
import './bills.css'

type Asked = NonNullable<typeof urgeBills.input.T>

/** Only what this house can do is offered. */
const offered = {
  ...urgeBills.input,
  fields: {
    ...urgeBills.input.fields,
    channel: {
      ...urgeBills.input.fields.channel!,
      choices: { ...urgeChannel, rows: Object.fromEntries(openChannels.map(k => [k, urgeChannel.rows[k]])) },
    },
  },
} as typeof urgeBills.input

const sends = (v: Partial<Asked>): boolean => v.channel === 'sms' || v.channel === 'wechat'

const groups = [
  {
    keys: [
      'channel',
      { key: 'promiseDate', hidden: sends, help: '到这一天之前不自动催缴' },
      { key: 'remark', hidden: sends, wide: true },
    ],
  },
]

/** Which of them may be urged over the chosen channel, before anything is sent (URG-1). */
function Checked({ ids, channel }: { readonly ids: readonly string[]; readonly channel: Asked['channel'] }) {
  const said = useCall(checkUrge, { ids: ids.slice(0, 2000), channel }, { quiet: true, keep: true })
  if (!said.data) return <p className="bill-note">{said.isError ? said.error.message : '正在检查……'}</p>
  const no = said.data.filter(c => !c.can)
  const why = [...Map.groupBy(no, c => c.words ?? '')]
  return (
    <div className={no.length ? 'bill-note bad' : 'bill-note'} role="status">
      可以催缴 <b>{count(said.data.length - no.length)}</b> 条账单，同一缴费人合并为一条
      {no.length > 0 && (
        <>
          ；{count(no.length)} 条会跳过：{why.map(([w, list]) => `${w} ${list.length}`).join('、')}
        </>
      )}
    </div>
  )
}

export function UrgeDialog({
  bills,
  ids: given,
  whole,
  onClose,
}: {
  readonly bills: readonly Bill[]
  readonly ids?: readonly string[] | undefined
  readonly whole?: Ticked<Bill, BillAsk>['whole'] | undefined
  readonly onClose: () => void
}) {
  const go = useSend((whole ? urgeSearch : urgeBills) as typeof urgeBills, { quiet: true })
  const [outcome, show] = useOutcome()
  const [said, setSaid] = useState('')
  const ids = useMemo(() => given ?? bills.map(b => String(b.id)), [given, bills])
  const initial = useMemo(() => ({ channel: 'sms' as const }), [])
  if (outcome) return <OutcomeDialog of={outcome} title={said || '催缴结果'} onClose={onClose} />
  return (
    <EditDialog
      of={offered}
      title={
        bills.length === 1 && ids.length === 1
          ? `催缴「${billName(bills[0]!)}」`
          : `催缴 ${count(whole?.count ?? ids.length)} 条账单`
      }
      groups={groups}
      initial={initial}
      words="催缴"
      as="dialog"
      below={v => (
        <>
          {whole ? (
            <p className="bill-note">
              逐条检查能否催缴，同一缴费人合并为一条；不能催缴的跳过，原因列在结果里
            </p>
          ) : (
            <Checked ids={ids} channel={v.channel ?? 'sms'} />
          )}
          <p className="bill-note">
            结果在 <Link to="/finance/chargemanage/demandmoney">催缴管理</Link>{' '}
            查看；书面催缴函登记后在那里打印
          </p>
        </>
      )}
      type={v => mustType({ count: sends(v) ? (whole?.count ?? ids.length) : 0 })}
      save={v =>
        go.mutateAsync({
          ...v,
          ...(whole
            ? { ...whole.filter, count: whole.count, sum: Number(whole.sum.receivable) }
            : { ids: [...ids] }),
        } as Asked)
      }
      onClose={onClose}
      onDone={a => {
        const b = a as Outcome & { message: string }
        if (b.skipped) {
          setSaid(b.message)
          show(b)
        } else {
          toast.success(b.message)
          onClose()
        }
      }}
    />
  )
}
