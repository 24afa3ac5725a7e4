import { buildColumns } from '#kit/web/columns.tsx'
import { DataTable } from '#kit/web/table/data-table.tsx'
import { listOfRows } from '#kit/contract/shape.ts'
import { attemptFields, type WebhookDelivery } from '../contract/webhook.ts'
import './integrations.css'

/** JSON laid out to be read; anything else as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const Block = ({ title, text }: { readonly title: string; readonly text: string | undefined }) => (
  <section className="delivery-block">
    <h3>{title}</h3>
    {text ? (
      // A long text scrolls: the keyboard must reach it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      <pre className="delivery-text" tabIndex={0} aria-label={title}>
        {readable(text)}
      </pre>
    ) : (
      <p className="absent">暂无</p>
    )}
  </section>
)

const attemptColumns = buildColumns(listOfRows(attemptFields), [
  'time',
  { key: 'statusCode', width: 96 },
  'tookMs',
  { key: 'reason', width: 240, grow: 1 },
])

/** What was sent, what was answered, and every attempt. */
export const DeliveryContent = ({ delivery }: { readonly delivery: WebhookDelivery }) => (
  <>
    <Block title="推送内容" text={delivery.body} />
    <Block title="应答内容" text={delivery.answer} />
    {delivery.attemptLog && delivery.attemptLog.length > 0 && (
      <section className="delivery-block">
        <h3>历次推送</h3>
        <DataTable
          rows={delivery.attemptLog}
          columns={attemptColumns}
          keyOf={row => `${row.time}/${row.tookMs}`}
          label="历次推送"
          dense
        />
      </section>
    )}
  </>
)
