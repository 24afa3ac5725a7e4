/** Marks a required field; screen readers are told by `aria-required`. */
export const RequiredStar = () => (
  <i className="required-star" aria-hidden>
    *
  </i>
)
