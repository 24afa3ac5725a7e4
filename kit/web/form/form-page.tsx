import { useState, type ReactNode } from 'react'
import { useTab } from '../tab.ts'
import { useGroups, type FormSpec } from './edit-dialog.tsx'
import { FormFields } from './form-fields.tsx'
import { FormFoot, useSaving } from './saving.tsx'
import { useForm } from './state.ts'

interface Props<I> extends FormSpec<I> {
  readonly onDone?: (answer: unknown) => void
  /** Beside the fields: what they lead to. */ readonly aside?: (values: Partial<I>) => ReactNode
  readonly columns?: 1 | 2
}

/** A long form, or one with a table or an editor: a page of its own with a foot that stays (picture 12). */
export function FormPage<I>({
  of,
  title,
  groups: given,
  initial,
  draft,
  rules,
  save,
  load,
  words = '保存',
  below,
  aside,
  columns = 2,
  onDone,
}: Props<I>) {
  const tab = useTab()
  const { groups, keys, initial: begin, estate } = useGroups(of, given, initial)
  const [leaving, setLeaving] = useState(false)
  const form = useForm({ shape: of, keys, initial: begin, draft, rules })
  const { busy, submit, band, conflict, onKey } = useSaving({
    form,
    fields: of.fields,
    keys,
    save: v => save(v as I),
    load,
    done: a => {
      form.reset(begin)
      if (onDone) {
        onDone(a)
      } else {
        tab.close()
      }
    },
  })
  const leave = (keep: boolean): void => {
    if (keep) {
      form.flush()
    } else {
      form.discard()
    }
    tab.close()
  }
  return (
    <div ref={form.root} className="form-page" onKeyDown={onKey}>
      <header>
        <h2>{title}</h2>
        {estate && <small>{estate}</small>}
      </header>
      <div className={aside ? 'scroll with-aside' : 'scroll'}>
        <div className="form-body">
          {conflict ?? (
            <>
              {band}
              <FormFields
                form={form}
                fields={of.fields}
                groups={groups}
                name={`p-${draft?.replace(/\W/g, '-') ?? 'x'}`}
                columns={columns}
                fixed={!!begin.id}
              />
              {below?.(form.values as Partial<I>)}
            </>
          )}
        </div>
        {aside && !conflict && <aside className="form-aside">{aside(form.values as Partial<I>)}</aside>}
      </div>
      {!conflict && (
        <footer>
          <FormFoot
            form={form}
            busy={busy}
            submit={() => void submit()}
            words={words}
            leaving={leaving}
            onStay={() => setLeaving(false)}
            onLeave={leave}
            onCancel={() => (form.dirty ? setLeaving(true) : tab.close())}
          />
        </footer>
      )}
    </div>
  )
}
