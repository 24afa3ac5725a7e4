import { useId, useState, type ReactNode } from 'react'
import { readableValues } from '../controls/invalid-input.ts'
import { useTab, useTabTitle } from '../tab.ts'
import type { FormSpec } from './edit-dialog.tsx'
import { useFormGroups } from './form-groups.ts'
import { FormFields } from './form-fields.tsx'
import { FormFooter, useSaving } from './use-saving.tsx'
import { useForm } from './use-form.ts'

interface FormPageProps<I, A> extends FormSpec<I, A> {
  readonly onDone?: (answer: A) => void
  /** Beside the fields: what they result in. */
  readonly aside?: (values: Partial<I>) => ReactNode
  readonly columns?: 1 | 2
  /** Asks before valid values are sent: what they will do. */
  readonly confirmSave?: (values: I) => Promise<boolean>
}

/** A long form, or one with a table or an editor: a page of its own with a sticky footer (picture 12). */
export function FormPage<I, A = unknown>({
  shape: formShape,
  title,
  groups: ownGroups,
  initial,
  draftKey,
  rules,
  save,
  loadCurrent,
  submitLabel = '保存',
  below,
  aside,
  columns = 2,
  confirmSave,
  onDone,
}: FormPageProps<I, A>) {
  const tab = useTab()
  useTabTitle(typeof title === 'string' ? title : undefined)
  const { groups, keys, initial: initialValues, projectName } = useFormGroups(formShape, ownGroups, initial)
  // Several pages of one form may be open: their fields must not share ids.
  const name = `p${useId().replace(/\W/g, '')}`
  const [leaving, setLeaving] = useState(false)
  const form = useForm({ shape: formShape, keys, initial: initialValues, draftKey, rules })
  const { busy, submit, banner, conflict, onKey } = useSaving({
    form,
    fields: formShape.fields,
    keys,
    save: v => save(v as I),
    isReady: confirmSave && (() => confirmSave(form.readValues() as I)),
    loadCurrent,
    onDone: result => {
      form.reset(initialValues)
      if (onDone) {
        onDone(result)
      } else {
        tab.close()
      }
    },
  })
  const leave = (keep: boolean): void => {
    if (keep) {
      form.saveDraft()
    } else {
      form.discard()
    }
    tab.close()
  }
  return (
    <div ref={form.root} className="form-page" role="presentation" onKeyDown={onKey}>
      <header>
        <h2>{title}</h2>
        {projectName && <small>{projectName}</small>}
      </header>
      <div className={aside ? 'scroll with-aside' : 'scroll'}>
        <div className="form-body">
          {conflict ?? (
            <>
              {banner}
              <FormFields
                form={form}
                fields={formShape.fields}
                groups={groups}
                name={name}
                columns={columns}
                fixed={Boolean(initialValues.id)}
              />
              {below?.(readableValues(form.values) as Partial<I>)}
            </>
          )}
        </div>
        {aside && !conflict && (
          <aside className="form-aside">{aside(readableValues(form.values) as Partial<I>)}</aside>
        )}
      </div>
      {!conflict && (
        <footer>
          <FormFooter
            form={form}
            busy={busy}
            submit={() => void submit()}
            submitLabel={submitLabel}
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
