import { useEffect } from 'react'
import { displayYuan } from '#kit/domain/money.ts'
import { PrintOut } from '#kit/web/print-out.tsx'
import { useCall } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import type { Activity } from '../contract/activity.ts'
import { activitySigns } from '../contract/sign.ts'
import { hasFee, owedOf } from '../domain/fee.ts'
import './activities.css'

const a4 = { width: 210, height: 297 } as const
const maxRows = 500

/** 签到表: who has a place, with what they owe and a line to sign on, on A4. */
export function AttendanceSheet({ of, onDone }: { readonly of: Activity; readonly onDone: () => void }) {
  const { id, title, beginTime, address } = of
  const found = useCall(
    activitySigns.list,
    { activityId: [String(id)], state: ['signed', 'checkedIn'], size: maxRows },
    { staleMs: 0 },
  )
  const { data, isError } = found
  const isEmpty = data?.rows.length === 0
  useEffect(() => {
    if (isEmpty) {
      toast.info('暂无已报名的住户，无需打印')
    }
    if (isEmpty || isError) {
      onDone()
    }
  }, [isEmpty, isError, onDone])
  if (!data || isEmpty) return null
  const isCharged = hasFee(of)
  const persons = data.rows.reduce((sum, { personCount }) => sum + personCount, 0)
  return (
    <PrintOut {...a4} onDone={onDone}>
      <div className="activity-sheet">
        <h1>{title}签到表</h1>
        <p>
          {beginTime.slice(0, 16)} · {address} · 共 {data.rows.length} 户 {persons} 人
          {data.total > data.rows.length && `（前 ${maxRows} 户，其余请导出）`}
        </p>
        <table>
          <thead>
            <tr>
              <th>序号</th>
              <th>姓名</th>
              <th>手机号</th>
              <th>房间</th>
              <th>人数</th>
              {isCharged && <th>未缴费</th>}
              <th className="remark">备注</th>
              <th className="sign">签名</th>
            </tr>
          </thead>
          <tbody>
            {data.rows.map((row, i) => (
              <tr key={row.id}>
                <td>{i + 1}</td>
                <td>{row.userName}</td>
                <td>{row.mobile}</td>
                <td>{row.roomPath}</td>
                <td>{row.personCount}</td>
                {isCharged && <td>{row.payState === 'unpaid' && `${displayYuan(owedOf(row))} 元`}</td>}
                <td>{row.remark}</td>
                <td>{row.state === 'checkedIn' && `已签到 ${row.checkInTime?.slice(11, 16) ?? ''}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </PrintOut>
  )
}
