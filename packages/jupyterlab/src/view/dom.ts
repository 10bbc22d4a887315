// Small pieces of DOM that the views are made of.

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

export function button(label: string, className: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', className, label);
  made.type = 'button';
  made.addEventListener('click', (event) => {
    event.stopPropagation();
    onClick();
  });
  return made;
}

/** A sentence with `code` in back quotes. */
export function prose(name: 'p' | 'li' | 'span', className: string, text: string): HTMLElement {
  const pieces = text.split(/`([^`\n]+)`/);
  return element(
    name,
    className,
    ...pieces.map((piece, index) => (index % 2 === 1 ? element('code', '', piece) : piece)),
  );
}
