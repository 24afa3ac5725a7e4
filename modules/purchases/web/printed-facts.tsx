interface PrintedFactsProps {
  readonly facts: readonly (readonly [label: string, value: string | undefined])[]
}

/** What is above the lines of a printed paper. */
export const PrintedFacts = ({ facts }: PrintedFactsProps) => (
  <dl>
    {facts.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value ?? ''}</dd>
      </div>
    ))}
  </dl>
)
