import { Modal } from 'antd'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { sendAndToast } from '#kit/web/record-actions.ts'
import { runAction } from '#kit/web/run-action.ts'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import { noticeChannel } from '../contract/choices.ts'
import { previewNotice, publishNotice, type NoticePreview, type PublicNotice } from '../contract/notice.ts'
import './notices.css'

interface DialogProps {
  readonly of: readonly PublicNotice[]
  readonly onClose: () => void
}

const Channels = ({ preview: { channels } }: { readonly preview: NoticePreview }) => (
  <table>
    <thead>
      <tr>
        <th scope="col">渠道</th>
        <th scope="col">可送达</th>
        <th scope="col">不发送</th>
        <th scope="col">短信条数</th>
      </tr>
    </thead>
    <tbody>
      {channels.map(({ channel, reachable, excluded, reasons, segments }) => (
        <tr key={channel}>
          <td>{labelOf(noticeChannel, channel)}</td>
          <td>{formatCount(reachable)} 人</td>
          <td>{excluded ? `${formatCount(excluded)} 人（${reasons ?? ''}）` : '无'}</td>
          <td>{segments === undefined ? '' : `${formatCount(segments)} 条`}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Samples = ({ preview: { samples } }: { readonly preview: NoticePreview }) =>
  samples.length > 0 && (
    <ScrollRegion label="消息示例" className="samples">
      {samples.map((sample, i) => (
        <p key={i}>
          <small>
            {sample.personName} {sample.roomPath}
          </small>
          {sample.content}
        </p>
      ))}
    </ScrollRegion>
  )

const costOf = ({ channels }: NoticePreview): number =>
  channels.reduce((sum, { segments = 0 }) => sum + segments, 0)

const Cost = ({ preview }: { readonly preview: NoticePreview }) => {
  const { usableSms } = preview
  if (usableSms === undefined) return null
  const isShort = costOf(preview) > usableSms
  return (
    <p className={isShort ? 'short' : undefined}>
      本次使用短信 {formatCount(costOf(preview))} 条，可用 {formatCount(usableSms)} 条
      {isShort && '，不足，请先购买短信或减少接收人'}
    </p>
  )
}

/** 发布: whom it reaches and what it costs, before anything is sent. */
export function PublishDialog({ of: [notice], onClose }: DialogProps) {
  const preview = useCall(
    previewNotice,
    { id: notice?.id ?? 0 },
    { quiet: true, staleMs: 0, enabled: notice !== undefined },
  )
  const [isBusy, setBusy] = useState(false)
  if (!notice) return null
  const isTimed = notice.publishTime !== undefined && Date.parse(`${notice.publishTime}+08:00`) > Date.now()
  const isShort = preview.data?.usableSms !== undefined && costOf(preview.data) > preview.data.usableSms
  const publish = async (): Promise<void> => {
    setBusy(true)
    const doneText = isTimed ? `「${notice.title}」将按时发布` : `已发布「${notice.title}」`
    const isDone = await runAction(() => sendAndToast(publishNotice, { id: notice.id }, doneText))
    setBusy(false)
    if (isDone) {
      onClose()
    }
  }
  return (
    <Modal
      open
      width={640}
      title={`发布「${notice.title}」`}
      okText={isTimed ? '定时发布' : '发布'}
      okButtonProps={{ loading: isBusy, disabled: !preview.data || (isShort && !isTimed) }}
      onOk={() => void publish()}
      onCancel={onClose}
    >
      <Loaded query={preview} height={240} rows={6}>
        {found => (
          <div className="notice-publish">
            <p>
              {isTimed && `将于 ${notice.publishTime?.slice(0, 16)} 发布。`}
              发送范围：{found.scopeText}，共 {formatCount(found.totalCount)} 人。
            </p>
            <Channels preview={found} />
            <Cost preview={found} />
            <Samples preview={found} />
          </div>
        )}
      </Loaded>
    </Modal>
  )
}
