import { parseId, type Id } from '#kit/domain/id.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { FieldFault } from '#kit/web/phone/phone-field.tsx'
import { RequiredStar } from '#kit/web/required-star.tsx'
import type { openPlace } from '../contract/resident.ts'

type PlaceType = NonNullable<typeof openPlace.output.T>['types'][number]

export const parentOf = (type: PlaceType): Id => type.parentId ?? parseId(0)

/** The chosen type with all above it, the uppermost first. */
function pathOf(types: readonly PlaceType[], id: Id | undefined): readonly Id[] {
  const type = types.find(other => other.id === id)
  return type ? [...pathOf(types, type.parentId), type.id] : []
}

export function TypeChoice({
  types,
  chosen,
  fault,
  onChoose,
}: {
  readonly types: readonly PlaceType[]
  readonly chosen: Id | undefined
  readonly fault: string | undefined
  readonly onChoose: (id: Id) => void
}) {
  const path = pathOf(types, chosen)
  const levels = [parseId(0), ...path]
    .map(id => types.filter(type => parentOf(type) === id))
    .filter(level => level.length)
  return (
    <div className="field" role="group" aria-label="报事类型">
      <span className="label">
        <RequiredStar />
        报事类型
      </span>
      {levels.map((level, i) => (
        <div className="choices" key={i}>
          {level.map(type => (
            <button
              type="button"
              className="big"
              key={type.id}
              aria-pressed={path.includes(type.id)}
              onClick={() => onChoose(type.id)}
            >
              {type.typeName}
            </button>
          ))}
        </div>
      ))}
      <FieldFault fault={fault} />
    </div>
  )
}

export function TypeFacts({ type }: { readonly type: PlaceType }) {
  return (
    <div className="note">
      <p>服务时间：{type.serviceText}</p>
      {type.isCharge && <p>有偿服务，费用以现场确认为准</p>}
      {type.prices.length > 0 && (
        <details>
          <summary>收费参考</summary>
          <ul>
            {type.prices.map(item => (
              <li key={`${item.name}/${item.price}`}>
                {item.name}
                <span className="figure">
                  {displayYuanWithSymbol(item.price)}
                  {item.unit ? ` / ${item.unit}` : ''}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
