<%
def body(commands):
    lines = (commands or "pass").splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith("# ###")).strip()
%>\
"""${message}."""

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}


def upgrade() -> None:
    ${body(upgrades)}


def downgrade() -> None:
    ${body(downgrades)}
